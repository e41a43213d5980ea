import argparse
import math

import torch
from accelerate import Accelerator
from transformers import AutoModelForCausalLM, default_data_collator, get_scheduler


def evaluate(accelerator, model, loader):
    model.eval()
    losses = []
    for batch in loader:
        outputs = model(**batch)  #! MEM201
        losses.append(accelerator.gather(outputs.loss.repeat(loader.batch_size)))  #! MEM102
    losses = torch.cat(losses)
    try:
        return math.exp(torch.mean(losses))
    except OverflowError:
        return float("inf")


def main(train_set, eval_set):
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="gpt2")
    p.add_argument("--lr", type=float, default=5e-5)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--accum", type=int, default=4)
    args = p.parse_args()
    accelerator = Accelerator(gradient_accumulation_steps=args.accum)
    model = AutoModelForCausalLM.from_pretrained(args.model)
    kw = dict(collate_fn=default_data_collator, batch_size=8, num_workers=2)
    train_loader = torch.utils.data.DataLoader(train_set, shuffle=True, **kw)
    eval_loader = torch.utils.data.DataLoader(eval_set, **kw)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sched = get_scheduler("linear", optimizer, 0, args.epochs * len(train_loader))
    model, optimizer, train_loader, eval_loader, sched = accelerator.prepare(model, optimizer, train_loader, eval_loader, sched)
    for epoch in range(args.epochs):
        model.train()
        total_loss = 0
        for batch in train_loader:
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss  #! MEM112
                total_loss += loss.float()  #! MEM101
                accelerator.backward(loss)
                optimizer.step()
                sched.step()
                optimizer.zero_grad()
        accelerator.print(epoch, total_loss.item() / len(train_loader), evaluate(accelerator, model, eval_loader))
