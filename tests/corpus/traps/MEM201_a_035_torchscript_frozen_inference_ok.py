import time
import torch


def benchmark(path, loader, n=100):
    model = torch.jit.load(path).cuda().eval()
    model = torch.jit.freeze(model)
    model = torch.jit.optimize_for_inference(model)
    times = []
    for i, (x, _) in enumerate(loader):
        torch.cuda.synchronize()
        t = time.perf_counter()
        y = model(x.cuda())
        torch.cuda.synchronize()
        times.append(time.perf_counter() - t)
        if i == n:
            break
    print("median", sorted(times)[len(times) // 2], y.shape)
