"""The abstract interpreter: runs a file over abstract values and writes down what happens.

`script.run` is the way in. `machine` and `state` hold a run; `statements` and `evaluate` walk the code,
with `assignments`, `accumulate` and `binding` for what is stored, `definitions` and `functions` for what
the file defines; `calls` decides which code a call means and hands over to `forwards`, `library_calls`,
`builtin_calls`, `unseen` and, for methods, `methods`. What needs a part above it calls it through the
callables of the machine, so that imports run one way.
"""
