import argparse
import os
import cv2
import numpy as np
import torch
from PIL import Image
from torchvision import transforms

from networks import DeepLab


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--input', default='frames')
    parser.add_argument('--ckpt', default='deeplab.pth')
    parser.add_argument('--output', default='masks')
    args = parser.parse_args()
    device = torch.device('cuda')
    model = DeepLab(num_classes=21).to(device)
    model.load_state_dict(torch.load(args.ckpt, map_location=device))
    model.eval()
    torch.set_grad_enabled(False)
    normalize = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.5] * 3)])
    os.makedirs(args.output, exist_ok=True)
    for name in sorted(os.listdir(args.input)):
        img = Image.open(os.path.join(args.input, name)).convert('RGB')
        x = normalize(img).unsqueeze(0).to(device)
        pred = model(x)
        mask = pred.argmax(1).squeeze(0).byte().cpu().numpy()
        cv2.imwrite(os.path.join(args.output, os.path.splitext(name)[0] + '.png'), mask)


if __name__ == '__main__':
    main()
