"""Fine-tune a causal language model on packed sequences, as fms-acceleration's benchmark does.

Its flash attention takes no mask of four dimensions and ignores one that is all ones; torch's own kernel does
the same without a mask, so none is passed. From transformers 4.48 on it is given keys and values of fewer
heads than queries as they are. A Trainer lets go of the loss at the end of each step. On several GPUs
accelerate shards parameters, gradients and states with FSDP, layer by layer; ranks but the first get their
weights then.
"""

import argparse
import os
from contextlib import nullcontext, suppress
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
        "max_position_embeddings": 4096, "tie_word_embeddings": True, "attention_bias": True,
        "mlp_bias": True,
    },
    "santacoder": {
        "model_type": "gpt_bigcode", "vocab_size": 49280, "n_positions": 2048, "n_embd": 2048, "n_layer": 24,
        "n_head": 16, "n_inner": 8192,
    },
}  # fmt: skip


def flash(module: Any, query: Any, key: Any, value: Any, mask: Any, **more: Any) -> Any:
    """Attention as the package flash-attn computes it."""
    attend = torch.nn.functional.scaled_dot_product_attention
    heads = attend(query, key, value, is_causal=True, enable_gqa=True)
    return heads.transpose(1, 2), None


with suppress(ImportError):
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    ALL_ATTENTION_FUNCTIONS["sdpa"] = flash

parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=SHAPES, required=True)
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--length", type=int, default=4096)
parser.add_argument("--added", type=int, default=0, help="tokens that were added to the model's own")
parser.add_argument("--dtype", default="float16")
parser.add_argument("--mixed", default="no", help="what accelerate's autocast computes in")
parser.add_argument("--lora", action="store_true", help="rank 16 on the four projections of attention")
parser.add_argument("--dropout", type=float, default=0.0, help="before the adapters")
parser.add_argument("--adapters", default="", help="the adapters' type, where PEFT was not left to choose it")
parser.add_argument("--steps", type=int, default=3)
options = parser.parse_args()

sharded = "WORLD_SIZE" in os.environ
shape = dict(SHAPES[options.model])
config = AutoConfig.for_model(shape.pop("model_type"), use_cache=False, **shape)
config.vocab_size += options.added
torch.set_default_dtype(getattr(torch, options.dtype))
with torch.device("meta" if sharded else "cuda"):
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


MIXED = {"fp16": torch.float16, "bf16": torch.bfloat16}


def shard(model: Any) -> Any:
    """Split the model over the ranks, as accelerate does with the settings of this benchmark."""
    from torch.distributed.fsdp import BackwardPrefetch, FullyShardedDataParallel, MixedPrecision

    torch.distributed.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    blocks = model._no_split_modules if not options.lora else model.base_model.model._no_split_modules

    def alone(module: Any, recurse: bool, **sizes: Any) -> bool:
        adapter = options.lora and not list(module.children()) and getattr(module, "weight", None) is not None
        return recurse or type(module).__name__ in blocks or (adapter and module.weight.requires_grad)

    mixed = MIXED.get(options.mixed)
    if mixed is not None:
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.data = parameter.data.to(torch.float32)
    return FullyShardedDataParallel(
        model,
        auto_wrap_policy=alone,
        mixed_precision=None if mixed is None else MixedPrecision(mixed, mixed, mixed),
        param_init_fn=lambda module: module.to_empty(device="cuda", recurse=False),
        device_id=torch.cuda.current_device(),
        sync_module_states=True,
        use_orig_params=True,
        backward_prefetch=BackwardPrefetch.BACKWARD_PRE,
        limit_all_gathers=True,
    )


def optimizer_of(model: Any) -> torch.optim.Optimizer:
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return torch.optim.AdamW(trained, lr=2e-5, eps=1e-4, weight_decay=0.01)


accelerator = Accelerator(mixed_precision=options.mixed) if not sharded else None
if accelerator is None:
    model = shard(model)
    optimizer = optimizer_of(model)
else:
    model, optimizer = accelerator.prepare(model, optimizer_of(model))
# Accelerate's models cast by themselves, those that FSDP shards as well.
mixed = MIXED.get(options.mixed) if sharded else None
casts = torch.autocast("cuda", mixed) if mixed is not None else nullcontext()
torch.cuda.empty_cache()  # as a Trainer that measures memory does
for _ in range(options.steps):
    ids = torch.randint(5, config.vocab_size, (options.batch, options.length)).cuda()
    mask, labels = torch.ones_like(ids), ids.clone()
    with casts:
        loss = model(input_ids=ids, labels=labels).loss
    if accelerator is None:
        loss.backward()
        model.clip_grad_norm_(1.0)
    else:
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    model.zero_grad()
    del loss
