"""Llama of transformers from its configuration in bfloat16, LoRA of peft on its attention, gradient checkpointing."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    hidden_size=2048,
    intermediate_size=5632,
    num_hidden_layers=12,
    num_attention_heads=32,
    num_key_value_heads=4,
    use_cache=False,
)
model = LlamaForCausalLM(config).to("cuda", dtype=torch.bfloat16)
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.enable_input_require_grads()
model = get_peft_model(model, LoraConfig(r=16, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"))
model.train()
optimizer = torch.optim.AdamW([weight for weight in model.parameters() if weight.requires_grad], lr=1e-4)
for _ in range(4):
    words = torch.randint(0, 32000, (2, 1024), device="cuda")
    loss = model(input_ids=words, labels=words).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(loss.item())
