# accelerate builds the model without memory

import torch
from accelerate import init_empty_weights
from transformers import LlamaConfig, LlamaForCausalLM

with init_empty_weights():
    model = LlamaForCausalLM(LlamaConfig())
model.load_state_dict(torch.load("llama.pt"), strict=False)
