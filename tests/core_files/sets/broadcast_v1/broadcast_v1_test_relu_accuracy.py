# SPDX-License-Identifier: Apache-2.0
import torch
from broadcast_v1_triton import broadcast_v1
from broadcast_v1_baseline import broadcast_v1 as broadcast_v1_baseline

def test_accuracy():
    """Accuracy test"""
    test_shapes = [
        (512, 512, 512),
        (1024, 1024, 1024),
        (2048, 2048, 2048),
    ]

    print("Testing Broadcast V1 Accuracy...")

    for shape in test_shapes:
        x = torch.randn(shape).npu()
        bias = torch.randn(shape[-1]).npu()

        # The baseline's output
        baseline_output = broadcast_v1_baseline(x, bias)

        # The output under test
        test_output = broadcast_v1(x, bias)

        # Compare them
        max_diff = torch.max(torch.abs(test_output - baseline_output)).item()
        assert torch.allclose(test_output, baseline_output, rtol=1e-3, atol=1e-3), \
            f"Test failed: max_diff = {max_diff}"

        print(f"Shape: {shape}, Bias shape: ({shape[-1]})")
        print(f"✓ Test passed: max_diff = {max_diff:.2e}")

    print("All accuracy tests passed!")

if __name__ == "__main__":
    test_accuracy()
