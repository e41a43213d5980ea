# transformers models, buffers of DDP

import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from transformers import AutoModelForCausalLM, AutoTokenizer


def build(name, rank):
    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForCausalLM.from_pretrained(
        name,
        torch_dtype=torch.bfloat16,  #! MEM906 warning
        low_cpu_mem_usage=True,  #! MEM906 warning
    )
    return tokenizer, DDP(model.to(rank), device_ids=[rank], broadcast_buffers=False)  #! MEM906 warning
