# functions called from main: an image divided by 255

import cv2
import numpy as np
import torch


def load(path, device):
    image = cv2.imread(path)
    image = np.transpose(image, (2, 0, 1)) / 255.0
    pixels = torch.tensor(image)  #! MEM304 warning
    return pixels.unsqueeze(0).to(device)


def noise(shape, device):
    rng = np.random.default_rng(0)
    return torch.as_tensor(rng.normal(size=shape), device=device)  #! MEM304 warning


def main():
    image = load("cat.png", "cuda")
    print(image + noise(image.shape, "cuda"))


main()
