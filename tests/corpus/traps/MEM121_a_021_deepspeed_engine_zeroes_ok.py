import argparse
import deepspeed
import torch


def main(model, loader, ds_config):
    p = argparse.ArgumentParser()
    p.add_argument("--local_rank", type=int, default=-1)
    p.add_argument("--epochs", type=int, default=1)
    args = p.parse_args()
    model_engine, optimizer, _, scheduler = deepspeed.initialize(
        args=args, model=model, model_parameters=model.parameters(), config=ds_config)
    for epoch in range(args.epochs):
        total = 0.0
        for step, batch in enumerate(loader):
            ids = batch["input_ids"].to(model_engine.device)
            loss = model_engine(ids, labels=ids).loss
            model_engine.backward(loss)
            model_engine.step()
            total += loss.item()
            if step % 100 == 0 and args.local_rank in (-1, 0):
                print(epoch, step, total / (step + 1))
