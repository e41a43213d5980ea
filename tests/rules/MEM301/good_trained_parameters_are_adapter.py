# LoRA on a half base through peft: the trained parameters are the adapter's

import torch
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

quantized = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.float16)
base = AutoModelForCausalLM.from_pretrained("gpt2", quantization_config=quantized, torch_dtype=torch.float16)
model = get_peft_model(prepare_model_for_kbit_training(base), LoraConfig(r=8))
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
for ids in torch.randint(0, 100, (10, 1, 16)):
    loss = model(input_ids=ids, labels=ids).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
