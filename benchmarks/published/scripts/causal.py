"""Fine-tune a causal language model on packed sequences, as fms-acceleration's benchmark does.

Its flash attention takes no mask of four dimensions and ignores one that is all ones; torch's own kernel does
the same without a mask, so none is passed. A Trainer lets go of the loss at the end of each step.
"""

import argparse
from typing import Any

import torch
from accelerate import Accelerator
from transformers import AutoConfig, AutoModelForCausalLM

SHAPES: dict[str, dict[str, Any]] = {
    "mistral-7b": {"model_type": "mistral", "max_position_embeddings": 32768, "sliding_window": None},
    "mixtral-8x7b": {"model_type": "mixtral", "max_position_embeddings": 32768, "sliding_window": None},
    "llama-2-70b": {
        "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80,
        "num_attention_heads": 64, "num_key_value_heads": 8, "max_position_embeddings": 4096,
    },
    "powerlm-3b": {
        "model_type": "granite", "vocab_size": 49152, "hidden_size": 2304, "intermediate_size": 9216,
        "num_hidden_layers": 40, "num_attention_heads": 36, "num_key_value_heads": 36,
        "max_position_embeddings": 4096, "tie_word_embeddings": True,
    },
}  # fmt: skip

parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=SHAPES, required=True)
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--length", type=int, default=4096)
parser.add_argument("--dtype", default="float16")
parser.add_argument("--mixed", default="no", help="what accelerate's autocast computes in")
parser.add_argument("--lora", action="store_true", help="rank 16 on the four projections of attention")
parser.add_argument("--dropout", type=float, default=0.0, help="before the adapters")
parser.add_argument("--adapters", default="", help="the adapters' type, where PEFT was not left to choose it")
parser.add_argument("--steps", type=int, default=3)
options = parser.parse_args()

shape = dict(SHAPES[options.model])
config = AutoConfig.for_model(shape.pop("model_type"), use_cache=False, **shape)
torch.set_default_dtype(getattr(torch, options.dtype))
with torch.device("cuda"):
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
torch.set_default_dtype(torch.float32)
if options.lora:
    from peft import LoraConfig, get_peft_model

    targets = ["q_proj", "k_proj", "v_proj", "o_proj"]
    model = get_peft_model(
        model, LoraConfig(r=16, lora_alpha=16, lora_dropout=options.dropout, target_modules=targets)
    )
    for name, parameter in model.named_parameters():
        if "lora_" in name and options.adapters:
            parameter.data = parameter.data.to(getattr(torch, options.adapters))
    model.enable_input_require_grads()
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
model.train()
trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
accelerator = Accelerator(mixed_precision=options.mixed)
optimizer = torch.optim.AdamW(trained, lr=2e-5, eps=1e-4, weight_decay=0.01)
model, optimizer = accelerator.prepare(model, optimizer)
for _ in range(options.steps):
    ids = torch.randint(5, config.vocab_size, (options.batch, options.length)).cuda()
    mask, labels = torch.ones_like(ids), ids.clone()
    loss = model(input_ids=ids, labels=labels).loss
    accelerator.backward(loss)
    accelerator.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    model.zero_grad()
    del loss
