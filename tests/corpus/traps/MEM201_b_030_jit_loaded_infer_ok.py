import argparse
import numpy as np
import torch


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("model")
    ap.add_argument("data")
    a = ap.parse_args()
    net = torch.jit.load(a.model, map_location="cpu")
    net = torch.jit.freeze(net.eval())
    arr = np.load(a.data)
    res = []
    with torch.inference_mode():
        for i in range(0, len(arr), 256):
            res.append(net(torch.from_numpy(arr[i:i + 256])))
    np.save("out.npy", torch.cat(res).numpy())


if __name__ == "__main__":
    main()
