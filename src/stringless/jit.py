"""The one decorator around numba, and the cache behind it.

numba's own on-disk cache looks only at the file a function stands in: an edit in another file that the function
calls leaves the old machine code in use. Here every kernel is filed under a digest of its own source file and of all
that this file imports from the package, directly or not, so that a stale kernel cannot be found, let alone run, and an
edit recompiles only what can depend on it.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib
import os
import pkgutil
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import caching, config, event, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher, _FunctionCompiler
from numba.core.registry import CPUDispatcher

Kind = TypeVar("Kind")
PACKAGE = Path(__file__).resolve().parent
KEPT_CACHES = 4
"""How many cache folders of other versions of Python and numba are left in place."""
KEPT_VERSIONS = 4
"""How many versions of one kernel are kept, so that switching branches is cheap."""

_FLAGS: dict[str, Any] = {
    # Release the GIL: a simulation thread must not stall the server beside it.
    "nogil": True,
    # No reference counts: kernels allocate nothing, and counting would cost an atomic operation per array touched.
    "_nrt": False,
    # Division by zero gives inf, as in NumPy; the check would cost speed and the simulation looks for inf itself.
    "error_model": "numpy",
    # Fused multiply-add and the sign of zero. Nothing that reorders sums, nothing that assumes away NaN.
    "fastmath": {"contract", "nsz"},
}


def kernel(function: Callable[..., Any] | None = None, *, inline: bool = False, lanes: bool = False) -> Any:
    """Compile `function` with numba on its first call.

    `inline=True` is for the small algebra that other kernels call: it is folded into its callers and not cached on
    its own. `lanes=True` is for a loop over elements side by side, whose array arguments never overlap: it becomes
    vector instructions. With `NUMBA_DISABLE_JIT=1` the function stays plain Python, for a debugger.
    """
    if function is None:
        return functools.partial(kernel, inline=inline, lanes=lanes)
    if config.DISABLE_JIT:
        # Compiled code gives no warning where a number is divided by zero.
        plain: Any = function if inline or lanes else np.errstate(all="ignore")(function)
        plain.py_func = function
        return plain
    if inline or lanes:
        options = {"nopython": True, "forceinline": inline, **_FLAGS}
        folded = _InlineKernel(function, targetoptions=options, apart=lanes)
        _kernels.add(folded)
        return folded
    # Unless told otherwise numba passes `forceinline` on from an inline kernel to those that are compiled on its behalf:
    # which kernel came first would decide what they become, down to the last digit of their results.
    dispatcher = numba.njit(function, forceinline=False, **_FLAGS)
    # The digest knows the sources of this package only: a kernel from elsewhere is compiled again in every process.
    if _is_inside(function):
        dispatcher._cache = _KernelCache(function)
    _kernels.add(dispatcher)
    return dispatcher


_kernels: weakref.WeakSet[Any] = weakref.WeakSet()
"""All that were made."""


def _is_inside(function: Callable[..., Any]) -> bool:
    return PACKAGE in _file_of_kernel(function).parents


def _file_of_kernel(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename).resolve()


def entry(function: Any, *examples: Any) -> Any:
    """Compile kernel `function` for arguments like `examples` and return its machine code as a Python function.

    Calling that skips numba's look at the type of every argument: 1 µs for fourteen tables. So the caller must know
    that its arguments have the types and layouts of the examples; whether they may be written makes no difference.
    """
    if config.DISABLE_JIT:
        return function
    signature = tuple(numba.typeof(example) for example in examples)
    function.compile(signature)
    return function.overloads[signature].entry_point


def entries(function: Any) -> dict[Any, Any]:
    """Entries into kernel `function`, by whatever its callers tell them apart; emptied when it must be compiled again."""
    return _entries.setdefault(function, {})


_entries: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


def rows(count: int, layout: np.dtype[Any]) -> Any:
    """Allocate `count` zeroed rows of a structured `layout`.

    A kernel reads a field as `row.field`. Plain Python needs a record array for that, while numba is five
    microseconds a call slower with one, so each gets its own.
    """
    table = np.zeros(count, layout)
    return table.view(np.recarray) if config.DISABLE_JIT else table


def collect(package: str, kind: type[Kind]) -> dict[str, Kind]:
    """All of a kind that modules of a package hold, by name in the order of their codes, for kernels that choose between them.

    `source_files` reads such a call, so that the digest of kernels knows these files, too.
    """
    folder = importlib.import_module(package).__path__
    modules = [importlib.import_module(f"{package}.{module.name}") for module in pkgutil.iter_modules(folder)]
    found: list[Any] = [value for module in modules for value in vars(module).values() if isinstance(value, kind)]
    return {value.name: value for value in sorted(found, key=lambda value: value.code)}


@global_compiler_lock
def replace_kernels(file: Path, *outside: Any) -> None:
    """Have all kernels compiled again that depend on `file`, since its kernels call those given here from now on.

    `outside` are kernels from elsewhere, whose code becomes part of the digest. Machine code that is referred to (`entry`)
    stays as it is, but for `entries`.
    """
    if config.DISABLE_JIT:
        return
    _outside[file] = _code_digest(outside) if outside else ""
    _digest_of.cache_clear()
    for dispatcher in list(_kernels):
        function = dispatcher.py_func
        if _is_inside(function) and file not in source_files(_file_of_kernel(function)):
            continue
        dispatcher._make_finalizer()()
        dispatcher._reset_overloads()
        _entries.pop(dispatcher, None)
        if isinstance(dispatcher._cache, _KernelCache):
            dispatcher._cache = _KernelCache(function)


# --- inline kernels -------------------------------------------------------------------------------------------------


class _InlineLibrary(JITCodeLibrary):
    """Code of a function that exists only inside its callers: optimized for them, and no machine code is made of it."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _InlineCompiler(_FunctionCompiler):
    """Lower a function for use inside others, and stop there: no Python entry, no machine code of its own."""

    apart = False
    """Whether arrays passed in never overlap, which lets a loop over lanes become vector instructions."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        flags.no_compile = True
        flags.noalias = self.apart
        return flags

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        # numba tells functions apart by their entry points; one that has none gets a token instead.
        result = super()._compile_core(args, return_type)._replace(entry_point=object())
        result.library.__class__ = _InlineLibrary
        self.targetdescr.target_context.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result


class _InlineKernel(CPUDispatcher):
    """A function that exists only inside its callers: it compiles in half the time of one with its own entry.

    Called from Python it runs as plain Python, which is right for a test and for curiosity.
    """

    def __init__(self, function: Callable[..., Any], targetoptions: dict[str, Any], apart: bool) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self._compiler = _InlineCompiler(function, self.targetdescr, targetoptions, {}, self._compiler.pipeline_class)
        self._compiler.apart = apart

    def add_overload(self, cres: Any) -> None:
        # Without a Python entry there is nothing to insert into the table that calls from Python go by.
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        return self.py_func


# --- the cache ------------------------------------------------------------------------------------------------------


@functools.cache
def cache_folder() -> Path:
    """Folder of the kernels compiled by these versions of Python and numba; created when first needed."""
    name = _versions_digest()
    for base in _cache_bases():
        folder = base / name
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not _is_ours(folder):
                continue
            tempfile.TemporaryFile(dir=folder).close()
            _remove_old(base, folder)
            return folder
    folder = tempfile.mkdtemp(prefix="stringless-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _is_ours(folder: Path) -> bool:
    """Whether no other user has put something there: what the cache holds is code that will be run."""
    shared = Path(tempfile.gettempdir()).resolve()
    if not hasattr(os, "getuid") or shared not in folder.resolve().parents:
        return True
    return all(part.stat().st_uid == os.getuid() and not part.is_symlink() for part in (folder, folder.parent))


def _versions_digest() -> str:
    """Digest of the tools that decide what machine code a kernel becomes; the processor is part of numba's own index."""
    text = "\0".join((numba.__version__, llvmlite.__version__, np.__version__, sys.version))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


_IMPORT = re.compile(r"^(?:from (stringless[\w.]*) import (\([^)]*\)|[^\n#]*)|import (stringless[\w.]*))", re.MULTILINE)

_COLLECTED = re.compile(r"""^[^#"]*\bcollect\("(stringless[\w.]*)",""", re.MULTILINE)


@functools.cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of the package that the file at `path` imports from at its top level."""
    found: list[Path | None] = []
    for owner, names, module in _IMPORT.findall(_source(path)):
        if module:
            found.append(_file_of(module))
        # `from stringless.spatial import mat3, vec3` imports modules; any other name comes from the owner itself.
        listed = re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#[^\n]*", "", names))
        found.extend(_file_of(f"{owner}.{name}") or _file_of(owner) for name in listed)
    for package in _COLLECTED.findall(_source(path)):
        found.extend(PACKAGE.joinpath(*package.split(".")[1:]).glob("*.py"))
    return tuple(sorted({file for file in found if file is not None}))


def _file_of(module: str) -> Path | None:
    stem = PACKAGE.joinpath(*module.split(".")[1:])
    return next((file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)


def source_files(path: Path) -> tuple[Path, ...]:
    """The file at `path`, `jit.py`, and every file of the package that `path` imports from, directly or not."""
    found, waiting = {PACKAGE / "jit.py"}, [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imports(file)
    return tuple(sorted(found))


def source_digest(path: Path) -> str:
    """Digest of every source that kernels in the file at `path` can depend on."""
    digest = hashlib.sha256()
    for file in source_files(path):
        digest.update(f"{file.relative_to(PACKAGE)}\0{_source(file)}\0{_outside.get(file, '')}".encode())
    return digest.hexdigest()[:20]


_outside: dict[Path, str] = {}
"""Digest of the kernels from elsewhere that kernels in a file call."""


def _code_digest(kernels: tuple[Any, ...]) -> str:
    """Digest of the code of kernels, of all kernels that they call, and of the constants that these read."""
    digest, seen = hashlib.sha256(), set[Any]()

    def add(value: Any) -> None:
        if not isinstance(value, Dispatcher):
            digest.update(f"{value!r}\0".encode())
        elif value not in seen:
            seen.add(value)
            digest.update(_code_text(value.py_func.__code__).encode())
            for read in _values_read(value.py_func):
                add(read)

    for one in kernels:
        add(one)
    return digest.hexdigest()


def _values_read(function: Callable[..., Any]) -> Iterator[Any]:
    """What a function reads from outside: kernels, constants, and what it takes from modules."""
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    names = function.__code__.co_names
    for name in names:
        found = function.__globals__.get(name)
        # `vec3.load`: the module is a global, the kernel an attribute, and its name is in co_names too.
        yield from [getattr(found, other, None) for other in names] if isinstance(found, ModuleType) else [found]


def _code_text(code: CodeType) -> str:
    constants = [_code_text(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts]
    return "\0".join((code.co_code.hex(), *constants, *code.co_names, *code.co_varnames, *code.co_freevars, ""))


_digest_of = functools.cache(source_digest)


def _cache_bases() -> Iterator[Path]:
    chosen = os.environ.get("STRINGLESS_CACHE_DIR")
    if chosen:
        yield Path(chosen)
        return
    if sys.platform == "darwin":
        yield Path.home() / "Library" / "Caches" / "stringless" / "kernels"
    else:
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stringless" / "kernels"
    yield Path(tempfile.gettempdir()) / f"stringless-{os.getuid() if hasattr(os, 'getuid') else 'kernels'}"


def _remove_old(base: Path, current: Path) -> None:
    others = sorted((f for f in base.iterdir() if f.is_dir() and f != current), key=_age)
    for folder in others[:-KEPT_CACHES]:
        shutil.rmtree(folder, ignore_errors=True)


class _Locator(caching._CacheLocator):
    """Tell numba to keep a kernel in `cache_folder`, under the digest of its sources."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._digest = _digest_of(Path(file).resolve())
        self._name = f"{function.__module__}-{function.__code__.co_firstlineno}-{self._digest}"

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(py_func, py_file)


class _KernelCacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]


class _KernelCache(caching.Cache):
    _impl_class = _KernelCacheImpl

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """With the fields of records: the file of a kernel need not import those that it is given."""
        return (*super()._index_key(sig, codegen), _fields_of(sig))

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super()._load_overload(sig, target_context)
        except (AttributeError, ImportError):  # compiled for a record that has another name now, or stands elsewhere
            self._cache_file.flush()
            return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        super()._save_overload(sig, data)
        self._remove_old_versions()

    def _remove_old_versions(self) -> None:
        """Keep the newest few versions of this kernel only."""
        module, name = self._py_func.__module__, self._py_func.__qualname__
        kernel = f"{module.rpartition('.')[2]}.{name}-{module}-"
        with contextlib.suppress(OSError):
            found = sorted((f for f in Path(self._cache_path).iterdir() if f.name.startswith(kernel)), key=_age)
            newest_first = list(dict.fromkeys(_version_in(file.name) for file in reversed(found)))
            for file in found:
                if _version_in(file.name) in newest_first[KEPT_VERSIONS:]:
                    file.unlink(missing_ok=True)


def _fields_of(kinds: Any) -> Any:
    """Names of the fields of records among some types, and of the records in these."""
    return tuple((kind.fields, _fields_of(kind)) for kind in kinds if isinstance(kind, types.BaseNamedTuple))


def _version_in(name: str) -> str:
    """The digest of the sources in a file's name, `module.kernel-module-line-digest.py311.1.nbc`."""
    return name.rpartition("-")[2].partition(".")[0]


def _age(file: Path) -> float:
    return file.stat().st_mtime


# --- progress of a compilation --------------------------------------------------------------------------------------


class _Listener(event.Listener):
    def __init__(self, report: Callable[[str, int, int], None], total: int) -> None:
        self._report, self._total, self._done = report, total, 0

    def on_start(self, event: Any) -> None:
        # A function compiled for several kinds of arguments counts each time; how often is not known beforehand.
        self._total = max(self._total, self._done + 1)
        self._report(event.data["dispatcher"].py_func.__name__, self._done, self._total)

    def on_end(self, event: Any) -> None:
        self._done += 1
        self._report(event.data["dispatcher"].py_func.__name__, self._done, max(self._total, self._done))


@contextlib.contextmanager
def compiling(report: Callable[[str, int, int], None], *kernels: Any) -> Iterator[None]:
    """Report what is compiled while the block runs: name of the kernel, how many are done, how many there are.

    `kernels` are the entry points about to be called; what they call in turn is counted with them. Nothing is
    reported when everything comes from the cache.
    """
    if config.DISABLE_JIT:
        yield
        return
    listener = _Listener(report, len(_reachable(kernels)))
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


def _reachable(kernels: tuple[Any, ...]) -> set[Any]:
    found: set[Any] = set()
    waiting = list(kernels)
    while waiting:
        dispatcher = waiting.pop()
        if isinstance(dispatcher, Dispatcher) and dispatcher not in found:
            found.add(dispatcher)
            waiting += _values_read(dispatcher.py_func)
    return found
