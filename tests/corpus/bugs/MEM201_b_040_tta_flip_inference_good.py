import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F


def load(path):
    img = cv2.imread(path)[:, :, ::-1].astype(np.float32) / 255.
    return torch.from_numpy(img.transpose(2, 0, 1).copy()).unsqueeze(0)


def tta(model, img, scales=(0.75, 1.0, 1.25)):
    h, w = img.shape[-2:]
    out = None
    for s in scales:
        for flip in (False, True):
            x = F.interpolate(img, scale_factor=s, mode="bilinear", align_corners=False)
            if flip:
                x = x.flip(-1)
            y = model(x)
            if flip:
                y = y.flip(-1)
            y = F.interpolate(y, size=(h, w), mode="bilinear", align_corners=False).softmax(1)
            out = y if out is None else out + y  #? MEM101
    return out / (2 * len(scales))


def main(model_path, src, dst):
    model = torch.load(model_path, map_location="cuda", weights_only=False)
    model.eval()
    os.makedirs(dst, exist_ok=True)
    for name in sorted(os.listdir(src)):
        img = load(os.path.join(src, name)).cuda()
        with torch.no_grad():
            prob = tta(model, img)
        mask = prob.argmax(1)[0].byte().cpu().numpy()
        cv2.imwrite(os.path.join(dst, name.replace(".jpg", ".png")), mask)
        print(name, mask.shape)


if __name__ == "__main__":
    import sys
    main(*sys.argv[1:4])
