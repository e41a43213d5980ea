"""How every process of a replay begins: `python memlint/runtime/start.py SPEC.json`.

`python memlint/runtime/start.py --launcher DESCRIPTOR` is the process that such ones are forked from. It may
be asked for `--trial` instead of a spec: then the fork tries whether a simulation can start.

Such a process runs the user's code, so that code's search path is the user's: nothing of memlint is put on
PYTHONPATH, sys.path or sys.meta_path, and so nothing has to be removed from them. The package is loaded from
where this file lies, be that site-packages, a user's own, an editable install or a source tree; what it holds
is then found by its own `__path__`. Until that has happened no module but those of Python is imported here.
"""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # This folder, whose `log` or `host` is not what anybody else means by such a name.
    del sys.path[0]

LAUNCHER = "--launcher"
TRIAL = "--trial"


def provide() -> None:
    """Load the package that this file belongs to."""
    import importlib.util
    import os.path

    if "memlint" in sys.modules:
        return
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = importlib.util.spec_from_file_location("memlint", os.path.join(package, "__init__.py"))
    assert spec is not None
    assert spec.loader is not None
    sys.modules["memlint"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


def code(then: str) -> str:
    """The same for `python -c`: text that runs `then` with the package, and leaves sys.path as it was.

    The folder in which such a process starts is the user's; no module of it is imported instead of Python's.
    """
    return (
        "import sys; _path = sys.path; sys.path = _path[not sys.flags.safe_path :]; import runpy; "
        f"runpy.run_path({__file__!r})['provide'](); {then}; sys.path = _path; del _path, runpy, sys"
    )


if __name__ == "__main__":
    # The script runs from here: under detect_anomaly each operation formats all frames of the stack.
    provide()
    from memlint.runtime.child.launch import load
    from memlint.runtime.child.run import conclude, prepare

    if sys.argv[1] == LAUNCHER:
        from memlint.runtime.child.launcher import serve

        sys.argv[1:] = [serve(int(sys.argv[2]))]
    if sys.argv[1] == TRIAL:
        from memlint.runtime.simulate import selfcheck

        selfcheck.main()
    _run = prepare(sys.argv[1])
    try:
        exec(*load(_run.spec))
    except BaseException as _error:
        conclude(_run, _error)
    conclude(_run, None)
