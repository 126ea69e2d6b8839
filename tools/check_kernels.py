"""Check the rules that every kernel keeps (ARCHITECTURE.md, "Kernels") by reading the sources.

    python tools/check_kernels.py [FOLDER OF THE PACKAGE]

numba would accept much of what is refused here, and pay for it with an allocation per call, a longer compilation or a
signature that does not tell what is written. Each finding is one line, `file:line: what is wrong, what to do`.
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "stringless"

ALLOCATING_FUNCTIONS = frozenset(
    {
        *("array", "asarray", "ascontiguousarray", "arange", "copy", "empty", "eye", "full", "identity", "linspace"),
        *("empty_like", "full_like", "ones", "ones_like", "rows", "zeros", "zeros_like"),
        *(
            "append",
            "column_stack",
            "concatenate",
            "diag",
            "diff",
            "hstack",
            "repeat",
            "roll",
            "stack",
            "tile",
            "vstack",
        ),
        *("dot", "inner", "kron", "matmul", "outer", "sort", "unique", "where"),
    }
)
"""Functions of NumPy (and `jit.rows`) that make an array."""
ALLOCATING_METHODS = frozenset({"astype", "copy", "flatten", "sort", "tolist"})
KERNEL_FOLDERS = frozenset({"spatial", ("model", "joints"), ("flesh", "materials")})
"""Where kernels may stand in files of any name: small algebra, and one file for all of a joint type or a material."""
ROLES = frozenset({"state", "work"})
"""Names of records that a kernel may write to: what moves, and scratch."""
MOST_PARAMETERS = 12
"""Of a kernel; most have six or fewer. What belongs together is handed over as a record."""
CONTAINERS = frozenset({"bytearray", "dict", "list", "set"})


@dataclass(frozen=True, order=True)
class Finding:
    """One broken rule."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        """The form that editors can jump to."""
        return f"{self.path}:{self.line}: {self.text}"


@dataclass
class Module:
    """One source file: its kernels and what its names stand for."""

    name: str
    path: Path
    tree: ast.Module
    kernels: dict[str, ast.FunctionDef] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    """Local name to dotted name, for what is imported from the package."""


def main() -> None:
    """Check the package and exit with 1 if a rule is broken."""
    package = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE
    modules = read(package)
    findings = sorted(check(package, modules))
    for finding in findings:
        print(finding)
    count = sum(len(module.kernels) for module in modules.values())
    if findings:
        sys.exit(f"check_kernels: {len(findings)} broken rule{'s' if len(findings) != 1 else ''} in {count} kernels")
    print(f"check_kernels: {count} kernels keep the rules")


def read(package: Path) -> dict[str, Module]:
    """Parse every file of `package`, by dotted module name."""
    modules: dict[str, Module] = {}
    for path in sorted(package.rglob("*.py")):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        module = Module(name, path, ast.parse(path.read_text(encoding="utf-8"), str(path)))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef) and is_kernel(node):
                module.kernels[node.name] = node
            elif isinstance(node, ast.ImportFrom) and node.module:
                module.imported |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
            elif isinstance(node, ast.Import):
                module.imported |= {a.asname: a.name for a in node.names if a.asname}
        modules[name] = module
    return modules


def is_kernel(function: ast.FunctionDef) -> bool:
    """Tell whether `function` stands under `@kernel`, `@kernel(...)` or `@jit.kernel`."""
    return any(last_name(d.func if isinstance(d, ast.Call) else d) == "kernel" for d in function.decorator_list)


def check(package: Path, modules: dict[str, Module]) -> Iterator[Finding]:
    """All findings, in no order."""
    for module in modules.values():
        part = module.path.relative_to(package).parts[0].removesuffix(".py")
        for line, text in check_imports(module, part):
            yield Finding(module.path, line, text)
        belongs = may_hold_kernels(module.path.relative_to(package))
        for function in module.kernels.values():
            if not belongs:
                text = "stands among plain Python: move it to a file called kernels.py or kernels_<topic>.py beside this one"
                yield Finding(module.path, function.lineno, f"kernel {function.name}: {text}")
            rules = (check_signature(function), check_body(function), check_writes(function, module, modules))
            for rule in rules:
                for line, text in rule:
                    yield Finding(module.path, line, f"kernel {function.name}: {text}")


def may_hold_kernels(path: Path) -> bool:
    """Tell whether kernels may stand in a file: by its name, or in folders where one file is one thing."""
    named = path.name.startswith("kernels") or path.name == "pipeline.py"
    return named or path.parts[0] in KERNEL_FOLDERS or path.parts[:2] in KERNEL_FOLDERS


def check_imports(module: Module, part: str) -> Iterator[tuple[int, str]]:
    """Numba is known to one file only."""
    if part == "jit":
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        for name in names:
            if name.split(".")[0] in ("numba", "llvmlite"):
                yield node.lineno, f"imports {name}: only jit.py may; use `from stringless.jit import kernel`"


# --- one kernel -----------------------------------------------------------------------------------------------------


def rank(parameter: str) -> int:
    """0 for an input, 1 for scratch, 2 for an output; a record of what moves is both, and stands where it reads best."""
    if parameter.endswith("_out"):
        return 2
    return 1 if parameter.split("_")[-1] in ("work", "scratch") else 0


def check_signature(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Inputs, then scratch, then outputs; a docstring; no open-ended parameters."""
    line, parameters = function.lineno, names_of(function)
    if function.args.vararg or function.args.kwarg:
        yield line, "takes *args or **kwargs: name every parameter"
    if len(parameters) > MOST_PARAMETERS:
        yield (
            line,
            f"takes {len(parameters)} parameters, more than {MOST_PARAMETERS}: hand over records, by role (records.py)",
        )
    parameters = [p for p in parameters if p not in ROLES]
    ranks = [rank(p) for p in parameters]
    # `store(values_out, at, a)`: the one destination of a small store may stand first, as in an assignment.
    is_store = ranks[:1] == [2] and not any(ranks[1:])
    for before, after in () if is_store else itertools.pairwise(parameters):
        if rank(before) > rank(after):
            kinds = ("an input", "scratch", "an output")
            text = f"'{after}' ({kinds[rank(after)]}) follows '{before}' ({kinds[rank(before)]})"
            yield line, f"{text}: order parameters as inputs, scratch (work), outputs (_out)"
    if ast.get_docstring(function) is None and not function.name.startswith("_"):
        yield line, "has no docstring: say what it computes, and the equation or table"


def check_body(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Nothing that allocates, nothing that needs the interpreter."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for statement in body:
        for node in ast.walk(statement):
            text = complaint(node)
            if text and isinstance(node, ast.expr | ast.stmt):
                yield node.lineno, text


def complaint(node: ast.AST) -> str:
    """What is wrong with this node, or nothing."""
    match node:
        case ast.JoinedStr():
            return "uses an f-string: report through a code or an index and word it in the caller"
        case ast.Constant(value=str() | bytes()):
            return "uses a string: use a named number"
        case ast.List() | ast.Dict() | ast.Set():
            return "builds a list, dict or set: use a tuple, or a table passed in as work"
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return "uses a comprehension: write the loop"
        case ast.Try() | ast.With():
            return "uses try or with: check before, or report through a code"
        case ast.FunctionDef() | ast.Lambda() | ast.ClassDef():
            return "defines a function or class inside: write a kernel of its own"
        case ast.BinOp(op=ast.MatMult()):
            return "uses @, which allocates: write the loop"
        case ast.Starred():
            return "unpacks with *: name every element"
        case ast.Call():
            return complaint_about_call(node)
        case _:
            return ""


def complaint_about_call(call: ast.Call) -> str:
    """What is wrong with calling this, or nothing."""
    name, dotted = last_name(call.func), dotted_name(call.func)
    if dotted == "print":
        return "prints: report through a result"
    if dotted in CONTAINERS:
        return f"calls {name}(): use a tuple, or a table passed in as work"
    owner = dotted.rpartition(".")[0]
    if (owner in ("np", "numpy", "jit") and name in ALLOCATING_FUNCTIONS) or owner in ("np.linalg", "numpy.linalg"):
        return f"calls {dotted}, which allocates: take the array as a parameter (work or _out)"
    if isinstance(call.func, ast.Attribute) and name in ALLOCATING_METHODS and not call.args:
        return f"calls .{name}(), which allocates: copy element by element into work or _out"
    return ""


def check_writes(function: ast.FunctionDef, module: Module, modules: dict[str, Module]) -> Iterator[tuple[int, str]]:
    """What is written, here or in a kernel called from here, is scratch or is named `_out`."""
    roots = trace_aliases(function)
    for node in ast.walk(function):
        writes = [(target, "writes to '{}'") for target in written_targets(node)]
        if isinstance(node, ast.Call):
            for argument, formal, callee in written_arguments(node, module, modules):
                writes.append((argument, f"passes '{{}}' as '{formal}' of {callee}, which writes to it"))
        for target, text in writes:
            for parameter in sorted(roots_of(target, roots)):
                if rank(parameter) == 0 and parameter not in ROLES:
                    advice = f"name it '{parameter}_out', or '{parameter}_work' if it is scratch"
                    yield target.lineno, f"{text.format(parameter)}: {advice}"


def trace_aliases(function: ast.FunctionDef) -> dict[str, set[str]]:
    """Which parameters a local name may be a view of: `row = bodies_out[i]` makes `row` one of `bodies_out`.

    Flow is not followed: a name that is a view anywhere in the kernel counts as one everywhere.
    """
    roots = {name: {name} for name in names_of(function)}
    bindings = [pair for node in ast.walk(function) for pair in bindings_of(node)]
    grown = True
    while grown:
        before = sum(map(len, roots.values()))
        for target, value in bindings:
            roots.setdefault(target, set()).update(roots_of(value, roots))
        grown = sum(map(len, roots.values())) > before
    return roots


def bindings_of(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Pairs (name, expression) that this node binds, with tuples taken apart."""
    match node:
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            pairs = [(target, value)]
        case ast.For(target=target, iter=value):
            pairs = [(target, value)]
        case _:
            return
    while pairs:
        target, value = pairs.pop()
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs += list(zip(target.elts, value.elts, strict=False))


def roots_of(expression: ast.expr, roots: dict[str, set[str]]) -> set[str]:
    """Parameters that `expression`, a chain of fields and subscripts, is a view of."""
    match expression:
        case ast.Name(id=name):
            return roots.get(name, set())
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            return roots_of(value, roots)
        case ast.IfExp(body=body, orelse=orelse):
            return roots_of(body, roots) | roots_of(orelse, roots)
        case _:
            return set()


def written_targets(node: ast.AST) -> Iterator[ast.expr]:
    """Subscripts and fields that this node assigns to. Binding a bare name writes to no array."""
    match node:
        case ast.Assign(targets=targets):
            waiting = list(targets)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
            waiting = [target]
        case _:
            return
    while waiting:
        target = waiting.pop()
        if isinstance(target, ast.Tuple):
            waiting += target.elts
        elif isinstance(target, ast.Subscript | ast.Attribute):
            yield target


def written_arguments(
    call: ast.Call, module: Module, modules: dict[str, Module]
) -> Iterator[tuple[ast.expr, str, str]]:
    """Arguments (with the parameter's name and the callee's) that the called kernel declares to write."""
    callee = find_kernel(dotted_name(call.func), module, modules)
    if callee is None:
        return
    formals = names_of(callee)
    arguments = list(zip(formals, call.args, strict=False))
    arguments += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    for formal, argument in arguments:
        if rank(formal) > 0 or formal in ROLES:
            yield argument, formal, callee.name


def find_kernel(dotted: str, module: Module, modules: dict[str, Module]) -> ast.FunctionDef | None:
    """The kernel that `dotted` (`store`, `vec3.store`) means in `module`; None if it cannot be told."""
    if dotted in module.kernels:
        return module.kernels[dotted]
    first, _, rest = dotted.partition(".")
    full = module.imported.get(first, first) + (f".{rest}" if rest else "")
    owner, _, name = full.rpartition(".")
    source = modules.get(owner)
    if source is None or source is module:
        return None
    return find_kernel(name, source, modules)


def names_of(function: ast.FunctionDef) -> list[str]:
    """Names of the parameters, in order."""
    arguments = function.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`."""
    return dotted_name(node).rpartition(".")[2]


def dotted_name(node: ast.expr) -> str:
    """`a.b.c` as written, or an empty string for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted_name(node.value)
        return f"{owner}.{node.attr}" if owner else f"?.{node.attr}"
    return ""


if __name__ == "__main__":
    main()
