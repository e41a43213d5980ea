"""QLoRA-like script of 2023 with accelerate: dead arguments, checkpointing, old eval names."""
import argparse
import os

import torch
from accelerate import Accelerator
from datasets import load_dataset
from peft import LoraConfig, get_peft_model
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainingArguments, default_data_collator

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"  #! MEM502


def get_model(name):
    model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.float16, low_cpu_mem_usage=True)  #! MEM906
    for p in model.parameters():
        p.require_grad = False  #! MEM908
    return get_peft_model(model, LoraConfig(r=8, target_modules=["q_proj"]))


class Head(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.norm = torch.nn.LayerNorm(768)

    def forward(self, h):
        return checkpoint(self.norm, h)  #! MEM905


def loaders(tok, bs):
    ds = load_dataset("wikitext", "wikitext-2-raw-v1", split="train").map(lambda r: tok(r["text"], truncation=True), batched=True)
    return DataLoader(ds, batch_size=bs, shuffle=True, collate_fn=default_data_collator, num_workers=0, prefetch_factor=4)  #! MEM906


def evaluate(model, dl, accelerator):
    model.eval()
    losses = []
    for batch in dl:
        with torch.no_grad():
            loss = model(**batch).loss
        losses.append(accelerator.gather(loss.repeat(8)))  #? MEM606
    return torch.cat(losses).mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="facebook/opt-125m")
    p.add_argument("--bs", type=int, default=4)
    a = p.parse_args()
    acc = Accelerator()
    tok = AutoTokenizer.from_pretrained(a.model)
    model, dl = get_model(a.model), loaders(tok, a.bs)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model, opt, dl = acc.prepare(model, opt, dl)
    args = TrainingArguments("out", evaluation_strategy="steps", no_cuda=True)  #! MEM907 #! MEM907
    for step, batch in enumerate(dl):
        loss = model(**batch).loss
        acc.backward(loss)
        opt.step()
        opt.zero_grad()
        if step % args.eval_steps == 0:
            acc.print(evaluate(model, dl, acc))
            torch.cuda.reset_max_memory_allocated()  #! MEM904
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
