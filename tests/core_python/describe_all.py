# SPDX-License-Identifier: Apache-2.0
"""Describes definitions of callable operators, one after another: prints a JSON list of why each is refused, or "".

    python3 describe_all.py RESOURCES/python TEXTS      TEXTS: a JSON list of the files' texts
"""
import json
import os
import sys
import tempfile
import warnings

sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
os.environ["TRITON_INTERPRET"] = "1"  # as an executor of a CPU has it

import torch  # noqa: E402

import kernelgen_callable  # noqa: E402
from kernelgen_failures import Failure  # noqa: E402

CASE = json.dumps({"name": "default", "dtype": "f32", "sizes": {}})


def reason_for(text: str) -> str:
    artifact = {"language": "torch", "file": "definition.py", "text": text, "entry": "", "configuration": {},
                "compile": False}
    told = {"role": "describe", "file": "definition.py", "text": text, "files": {}, "case": CASE, "signature": ""}

    def file_of(wanted: dict, kind):
        return kind(wanted, tempfile.mkdtemp())

    try:
        with torch.no_grad():
            kernelgen_callable.load(file_of, artifact, told, torch.device("cpu"), {})
    except Failure as failure:
        return failure.reason
    return ""


print(json.dumps([reason_for(text) for text in json.loads(sys.argv[2])]))
