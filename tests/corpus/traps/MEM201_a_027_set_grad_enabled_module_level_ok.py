import argparse
import numpy as np
import torch
from tqdm import tqdm

from matching import Matcher, read_image

torch.set_grad_enabled(False)

if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='Image pair matching')
    parser.add_argument('--pairs', type=str, default='pairs.txt')
    parser.add_argument('--resize', type=int, nargs='+', default=[640, 480])
    opt = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    matching = Matcher().eval().to(device)
    results = []
    for line in tqdm(open(opt.pairs).read().splitlines()):
        a, b = line.split()[:2]
        pred = matching({'image0': read_image(a, device, opt.resize), 'image1': read_image(b, device, opt.resize)})
        pred = {k: v[0].cpu().numpy() for k, v in pred.items()}
        results.append(pred)
        np.savez('match.npz', **pred)
