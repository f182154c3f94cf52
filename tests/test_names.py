"""Names: one class, one name."""

import ast
from collections import defaultdict
from pathlib import Path

import forethought

PACKAGE = Path(forethought.__file__).parent


def test_no_class_name_stands_twice() -> None:
    files = defaultdict[str, list[str]](list)
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                files[node.name].append(str(file.relative_to(PACKAGE)))
    assert len(files) > 200
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
