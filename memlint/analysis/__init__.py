"""Understanding a training script: names, values, roles. The only part that reads the syntax tree.

What a detector asks is on `model.ScriptModel`, and what it gives back in `match`; `interpret` runs the script
over abstract `values` and leaves the events of `facts`. Where to look for the rest, by question:

- text and names: `tree`, `spans`, `names`, `bindings`, `project`, `constants`, `settings`, `environment`
- what is known without the file: `libraries`, `guesses`, `sizes`, `rounding`
- the shape of the training: `loops`, `training_blocks`, `flow`, `order`, `moments`, `sequence`,
  `cadence`, `regions`, `guards`, `windows`, `devices`, `ranks`, `starts`, `hf_trainer`, `lightning`,
  `tests_in_code`
- what outlives an iteration (MEM1xx): `retention`, `running`, `holdings`, `stored`, `views`, `carried`,
  `outputs`, `liveness`, `registrations`, `microbatches`, `consumers`, `invariant`, `gradients`, `grad_reads`
- grad mode and precision (MEM2xx, MEM3xx): `evaluation`, `untrained`, `amp`, `stale_casts`, `scaling`,
  `apex`, `double_arrays`, `tables`
- loading (MEM4xx, MEM7xx): `datasets`, `workers`, `worker_code`, `loader_calls`, `loads`,
  `kept_checkpoints`, `origins`, `placement`
- names of APIs (MEM9xx): `api`, `keyword_tables`, `old_words`, `idioms`, `moves`, `rewrites`
- TensorFlow and Keras (MTFxxx): `tf`
- fixes: `plans`
"""
