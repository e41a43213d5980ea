import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from loop import evaluate, train_epoch
from nets import Reg


def main():
    acc = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=4)
    ds = torch.load("d.pt")
    model = Reg()
    opt = torch.optim.AdamW(model.parameters(), 1e-4)
    dl = DataLoader(ds, batch_size=8, shuffle=True, num_workers=2, pin_memory=True)
    model, opt, dl = acc.prepare(model, opt, dl)
    for e in range(3):
        train_epoch(acc, model, opt, dl)
        print(evaluate(acc, model, dl))


if __name__ == "__main__":
    main()
