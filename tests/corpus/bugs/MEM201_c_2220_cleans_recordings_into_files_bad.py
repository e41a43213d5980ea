import torchaudio

from cleaners import large, recordings

model = large().cuda()
for name in recordings("raw"):
    noisy, rate = torchaudio.load(name)
    clean = model(noisy.cuda())  #! MEM201
    clean = clean / max(clean.abs().max().item(), 1)
    torchaudio.save(f"clean_{name}", clean[0].cpu(), rate)
