# dtype of a transformers model, fixed for the installed version

import torch
import transformers

lm = transformers.LlamaForCausalLM.from_pretrained("some/model", dtype=torch.float16)
pipe = transformers.pipeline("text-generation", model="some/model", dtype="auto")
print(lm, pipe, torch.__version__)
