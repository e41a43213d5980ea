"""A folder per family, a module per rule: `detect(model, rule)` yields the matches of that rule.

`rules/*.toml` names the module; nothing registers itself. Detectors ask the ScriptModel and never
import each other.
"""
