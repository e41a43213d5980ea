import torch
from torch.utils.data import DataLoader


def adapt(model, opt, source, target, epochs=10):
    src_loader = DataLoader(source, batch_size=32, shuffle=True, num_workers=2)
    tgt_loader = DataLoader(target, batch_size=32, shuffle=True, num_workers=2)
    iter_tgt = iter(tgt_loader)
    preview = next(iter(src_loader))
    print({k: v.shape for k, v in preview.items()})
    for epoch in range(epochs):
        len_tgt = len(tgt_loader)
        for step, batch in enumerate(src_loader):
            if step % len_tgt == 0:
                iter_tgt = iter(tgt_loader)
            other = next(iter_tgt)
            loss = model(batch["x"], batch["y"]) + 0.1 * model(other["x"], None)
            opt.zero_grad()
            loss.backward()
            opt.step()
        fixed = next(iter(tgt_loader))
        with torch.no_grad():
            print(epoch, model(fixed["x"], None).item())
