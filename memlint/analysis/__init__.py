"""Understanding a training script: names, values, roles.

What a detector asks is on `model.ScriptModel`, and what it gives back in `match`; answers are kept by
`caching`. A file passes these stages:

1. `imported`: definitions of the project's other modules, parsed when the run needs them
2. `interpret`: runs the script over abstract `values` and leaves the events of `facts` in a `trace`
3. `dataflow`: control flow, reaching definitions, constants, liveness, order and frequency of execution
4. `uses`: what becomes of a value, and results that are only looked at
5. `shapes`: the sizes of tensors, where what makes them gives them
6. `training`: loops, gradients, retained values, evaluation; data loaders and hardware
7. `fixes`: edits that the fixes of several rules are made of

`traits` say where a tensor lies and how much it is. `roles` says what an object is for (module, loader,
optimizer) and by which evidence. `knowledge` holds what is known without the file: libraries, APIs, what
names suggest. `tensorflow` holds what only TensorFlow and Keras need.
"""
