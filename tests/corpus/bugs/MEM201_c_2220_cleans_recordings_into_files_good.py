import torch
import torchaudio

from cleaners import large, recordings

model = large().cuda()
for name in recordings("raw"):
    noisy, rate = torchaudio.load(name)
    with torch.no_grad():
        clean = model(noisy.cuda())
    clean = clean / max(clean.abs().max().item(), 1)
    torchaudio.save(f"clean_{name}", clean[0].cpu(), rate)
