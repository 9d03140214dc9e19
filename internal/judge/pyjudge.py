# Tells what Python's own parser takes for definitions: for each path on
# standard input a line of JSON, as tsjudge.mjs does; null if it does not parse.
import ast
import json
import sys


def items(node, containers, found):
    for child in ast.iter_child_nodes(node):
        inner = containers
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append({
                "name": child.name,
                "class": "type" if isinstance(child, ast.ClassDef) else "function",
                "line": child.lineno,
                "start": min([child.lineno] + [d.lineno for d in child.decorator_list]),
                "end": child.end_lineno,
                "containers": containers,
            })
            inner = [child.name]
        items(child, inner, found)
    return found


for path in sys.stdin.read().splitlines():
    try:
        with open(path, "rb") as file:
            print(json.dumps(items(ast.parse(file.read()), [""], [])))
    except (SyntaxError, ValueError):
        print("null")
