"""The reference of the Python package, made from its docstrings. The sources are read, not run: nothing has to be installed."""
import ast
import os
import re
import sys

ROOT = "python"
PARAMETER = re.compile(r"^([a-z_]+(?:, [a-z_]+)*): ", re.M)


def source(module):
    """File of a module."""
    path = os.path.join(ROOT, *module.split("."))
    return os.path.join(path, "__init__.py") if os.path.isdir(path) else path + ".py"


def parse(module):
    with open(source(module), encoding="utf-8") as file:
        return ast.parse(file.read())


def definitions(tree):
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


def public(module):
    """(name, definition) of what a module offers: the names of __all__, wherever they are defined, or all without an underscore."""
    tree = parse(module)
    here = definitions(tree)
    listed = next((ast.literal_eval(node.value) for node in tree.body
                   if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"), None)
    if listed is None:
        return [(name, node) for name, node in here.items() if not name.startswith("_")]
    origins = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    found = [(name, here.get(name) or definitions(parse(origins[name])).get(name)) for name in listed if name in here or name in origins]
    return [(name, node) for name, node in found if node is not None]


def text(node, name):
    """A docstring as Markdown: the lines about parameters become a list."""
    found = ast.get_docstring(node)
    if not found:
        sys.exit(f"docs: {name} has no docstring")
    parts = re.split(r"\n(?=[a-z_]+(?:, [a-z_]+)*: )", found)
    rows = [re.sub(r"\n +", " ", PARAMETER.sub(r"- `\1`: ", part)) for part in parts[1:]]
    return parts[0] + "".join(f"\n\n{rows[0]}" if i == 0 else f"\n{row}" for i, row in enumerate(rows))


def signature(name, node):
    """A definition as it is called; the first argument of methods is left out."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, |$)", "", arguments)
    arguments = re.sub(r"(?<=[\w\]])=(?=\S)", " = ", arguments)
    result = f" -> {ast.unparse(node.returns)}" if node.returns and ast.unparse(node.returns) != "None" else ""
    return f"```python\n{name}({arguments}){result}\n```"


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def is_setter(node):
    return any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in node.decorator_list)


def class_page(name, node):
    members = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef) and not is_setter(n)}
    parts = [f"### {name}\n"]
    if "__init__" in members:
        parts.append(signature(name, members["__init__"]) + "\n")
    parts.append(text(node, name) + "\n")
    # a subclass of the environments changes what its base describes
    described = [m for m in members.values() if not m.name.startswith("_") and (ast.get_docstring(m) or not node.bases)]
    for member in described:
        if is_property(member):
            parts.append(f"`{name}.{member.name}` ({ast.unparse(member.returns)}): {text(member, member.name)}\n")
        else:
            parts.append(signature(f"{name}.{member.name}", member) + f"\n\n{text(member, member.name)}\n")
    return "\n".join(parts)


def reference(modules):
    """The page of some modules."""
    parts = []
    for module in modules:
        parts.append(f"## {module}\n\n{text(parse(module), module)}\n")
        for name, node in public(module):
            if isinstance(node, ast.ClassDef):
                parts.append(class_page(name, node))
            else:
                parts.append(f"### {name}\n\n{signature(f'{module}.{name}', node)}\n\n{text(node, name)}\n")
    return "\n".join(parts)
