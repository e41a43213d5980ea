import argparse

import deepspeed
import torch
from transformers import AutoModelForSeq2SeqLM


def add_argument():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--local_rank", type=int, default=-1)
    return deepspeed.add_config_arguments(parser).parse_args()


def validate(engine, loader):
    engine.eval()
    val = 0.0
    n = 0
    for batch in loader:
        batch = {k: v.to(engine.device) for k, v in batch.items()}
        val += engine(**batch).loss  #! MEM201 #! MEM101
        n += 1
    engine.train()
    return val / n


def main(dataset, val_loader):
    args = add_argument()
    model = AutoModelForSeq2SeqLM.from_pretrained("t5-small")
    engine, _, loader, _ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters(), training_data=dataset)
    for epoch in range(args.epochs):
        epoch_loss = 0
        for step, batch in enumerate(loader):
            batch = {k: v.to(engine.device) for k, v in batch.items()}
            out = engine(**batch)
            loss = out.loss
            engine.backward(loss)
            engine.step()
            epoch_loss += loss  #! MEM101
            if engine.local_rank <= 0 and step % 100 == 0:
                print(epoch, step, float(epoch_loss) / (step + 1))
        print("val", float(validate(engine, val_loader)))
        engine.save_checkpoint("out", tag=f"epoch{epoch}")


if __name__ == "__main__":
    from corpus import get_dataset, get_val
    main(get_dataset(), get_val())
