# dtype of a transformers model, fixed for the installed version

import torch
import transformers

lm = transformers.LlamaForCausalLM.from_pretrained("some/model", torch_dtype=torch.float16)  #! MEM906
pipe = transformers.pipeline("text-generation", model="some/model", torch_dtype="auto")  #! MEM906
print(lm, pipe, torch.__version__)
