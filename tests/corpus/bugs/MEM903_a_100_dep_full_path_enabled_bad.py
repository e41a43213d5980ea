import argparse

import torch


def main(model, loader):
    ap = argparse.ArgumentParser()
    ap.add_argument("--amp", action="store_true")
    args = ap.parse_args()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.cuda.amp.GradScaler(enabled=args.amp)  #! MEM903
    for x, y in loader:
        opt.zero_grad()
        with torch.cuda.amp.autocast(enabled=args.amp):  #! MEM903
            loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
