import torch
from accelerate import Accelerator


def main(model, dl, val_dl):
    acc = Accelerator(gradient_accumulation_steps=2)
    opt = torch.optim.AdamW(model.parameters(), 1e-4)
    model, opt, dl, val_dl = acc.prepare(model, opt, dl, val_dl)
    for ep in range(3):
        tot = 0
        for b in dl:
            with acc.accumulate(model):
                loss = model(**b).loss
                tot += loss.detach().float()
                acc.backward(loss)
                opt.step()
                opt.zero_grad()
        model.eval()
        vals = []
        for b in val_dl:
            with torch.no_grad():
                out = model(**b)
            vals.append(acc.gather_for_metrics(out.loss))
        acc.print(tot / len(dl), torch.stack(vals).mean())
