# diffusers and others still call it torch_dtype

import torch
from diffusers import StableDiffusionPipeline
from transformers import AutoConfig, AutoTokenizer, CLIPTextModel

pipe = StableDiffusionPipeline.from_pretrained("some/model", torch_dtype=torch.float16, low_cpu_mem_usage=True)
config = AutoConfig.from_pretrained("some/model", torch_dtype="bfloat16")
tokenizer = AutoTokenizer.from_pretrained("some/model", low_cpu_mem_usage=True)
text = CLIPTextModel.from_pretrained("some/model", dtype=torch.float16)
