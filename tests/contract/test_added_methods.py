"""The method of docs/methods/adding.md keeps the contract, once it is in the registry."""

import os
import re
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[2]
CONTRACT = HOUSE / "tests" / "contract" / "test_methods.py"
REGISTER = """
from caprese.methods import METHODS
from nesting import Nesting

METHODS["nesting"] = Nesting
"""


def test_the_contract_holds_for_the_method_of_the_example(tmp_path):
    (tmp_path / "register.py").write_text(REGISTER)
    paths = [str(tmp_path), str(HOUSE / "examples"), *sys.path]
    plugins = ["-p", "register", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "-k", "Nesting", str(CONTRACT)],
        cwd=HOUSE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    kept = CONTRACT.read_text().count("\n@every_method\n")
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > kept
