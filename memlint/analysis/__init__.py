"""Understanding a training script: names, values, roles. The only part that reads the syntax tree.

What a detector asks is on `model.ScriptModel`, and what it gives back in `match`; `interpret` runs the script
over abstract `values` and leaves the events of `facts`. Where to look for the rest, by question:

- text and names: `tree`, `spans`, `names`, `bindings`, `project`, `abroad`, `call_arguments`, `constants`,
  `settings`, `environment`
- what is known without the file: `libraries`, `guesses`, `sizes`, `rounding`
- the shape of the training: `loops`, `training_blocks`, `flow`, `execution_order`, `step_order`, `cadence`,
  `regions`, `guards`, `accumulation_windows`, `devices`, `ranks`, `cuda_starts`, `hf_trainer`, `lightning`,
  `tests_in_code`
- what outlives an iteration (MEM1xx): `retention`, `running_averages`, `holdings`, `views`,
  `recurrent_state`, `outputs`, `liveness`, `registrations`, `microbatches`, `retained_graphs`,
  `invariant_forwards`, `gradients`, `grad_reads`
- grad mode and precision (MEM2xx, MEM3xx): `evaluation`, `untrained_networks`, `amp`, `stale_casts`,
  `scaling`, `apex`, `double_arrays`, `pandas_tables`
- loading (MEM4xx, MEM7xx): `datasets`, `dataset_contents`, `workers`, `worker_code`, `loader_calls`,
  `loaded_values`, `kept_checkpoints`, `origins`, `placement`
- names of APIs (MEM9xx): `api`, `keyword_tables`, `deprecated_usage`, `idioms`, `moves`, `rewrites`
- TensorFlow and Keras (MTFxxx): `tf`
- fixes: `plans`
"""
