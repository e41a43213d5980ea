import argparse

import torch
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup


def train(model, loader, epochs, lr):
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    sched = get_linear_schedule_with_warmup(opt, 100, epochs * len(loader))
    for _ in range(epochs):
        for batch in loader:
            batch = {k: v.to("cuda") for k, v in batch.items()}
            out = model(**batch)
            out.loss.backward()
            opt.step()
            sched.step()
            opt.zero_grad()


def main(loader):
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="roberta-base")
    a = p.parse_args()
    model = AutoModelForSequenceClassification.from_pretrained(a.model).to("cuda")
    train(model, loader, 3, 2e-5)
