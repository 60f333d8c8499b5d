# SPDX-License-Identifier: Apache-2.0
import torch
import time
from broadcast_v1_triton import broadcast_v1
from broadcast_v1_baseline import broadcast_v1 as broadcast_v1_baseline

def test_performance():
    """Performance test"""
    test_shapes = [
        (512, 512, 512),
        (1024, 1024, 1024),
        (2048, 2048, 2048),
    ]

    iterations = 100

    print("Testing Broadcast V1 Performance...")

    for shape in test_shapes:
        x = torch.randn(shape).npu()
        bias = torch.randn(shape[-1]).npu()

        # Warm-up
        for _ in range(10):
            broadcast_v1_baseline(x, bias)
            broadcast_v1(x, bias)

        # Time the baseline
        torch.npu.synchronize()
        start = time.time()
        for _ in range(iterations):
            baseline_output = broadcast_v1_baseline(x, bias)
        torch.npu.synchronize()
        baseline_time = (time.time() - start) / iterations

        # Time the Triton kernel
        torch.npu.synchronize()
        start = time.time()
        for _ in range(iterations):
            triton_output = broadcast_v1(x, bias)
        torch.npu.synchronize()
        triton_time = (time.time() - start) / iterations

        # Speedup
        speedup = baseline_time / triton_time

        print(f"Shape: {shape}, Bias shape: ({shape[-1]})")
        print(f"Baseline time: {baseline_time:.4f} ms")
        print(f"Triton time: {triton_time:.4f} ms")
        print(f"Speedup: {speedup:.4f}x")
        print()

    print("All performance tests completed!")

if __name__ == "__main__":
    test_performance()
