"""Infer how a disease progresses from which samples carry which events.

>>> import caprese
>>> data = caprese.datasets.ovarian()
>>> caprese.Caprese(shrinkage=0.5).fit(data).model.edges
(('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('8p-', 'Xp-'))

The public names stand in the stub beside this file, which type checkers read, too. Each is imported
when it is first asked for, so that `import caprese`, and with it `caprese --help`, loads nothing
heavy.
"""

from importlib import import_module

_homes: dict[str, str] = {}  # the module or package of each public name


def _known() -> dict[str, str]:
    if not _homes:
        from pathlib import Path

        for line in Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines():
            match line.split():
                case ["from", home, "import", name, "as", _]:
                    _homes[name] = home
    return _homes


def __getattr__(name: str) -> object:
    if name == "__all__":
        return __dir__()
    if name == "__version__":
        from importlib.metadata import version

        return version("caprese")
    if name.startswith("_") or name not in _known():
        raise AttributeError(f"module 'caprese' has no attribute {name!r}{_similar(name)}")
    home = _homes[name]
    if "." not in home:  # a room of the package
        return import_module(f"{home}.{name}")
    within = import_module(home)
    return getattr(within, name) if hasattr(within, name) else import_module(f"{home}.{name}")


def _similar(name: str) -> str:
    """Return the end of the message about a name that is not public; empty if none is similar."""
    if name.startswith("_"):  # such as what notebooks and debuggers look for
        return ""
    from caprese._core.words import did_you_mean

    longer = [each for each in _known() if each.startswith(name)]
    return f"; did you mean {longer[0]!r}?" if longer else did_you_mean(name, _known())


def __dir__() -> list[str]:
    return ["__version__", *_known()]
