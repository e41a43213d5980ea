import argparse
import torch
import torch.nn.functional as F
from transformers import GPT2LMHeadModel


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="gpt2-medium")
    p.add_argument("--lr", type=float, default=1e-5)
    p.add_argument("--steps", type=int, default=10000)
    return p.parse_args()


def main(batches):
    args = parse()
    model = GPT2LMHeadModel.from_pretrained(args.model)
    model.to("cuda")
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for step, ids in zip(range(args.steps), batches):
        ids = ids.cuda()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(ids, labels=ids)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % 50 == 0:
            print(step, out.loss.item())
