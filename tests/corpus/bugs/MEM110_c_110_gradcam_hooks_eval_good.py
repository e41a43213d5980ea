import torch
import torchvision.models as models
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class FeatureGrabber:
    def __init__(self, model):
        self.model = model
        self.features = []
        self.model.layer4.register_forward_hook(self.save)

    def save(self, module, inp, out):
        self.features.append(out.mean((2, 3)).cpu())


def main():
    model = models.resnet50(weights="DEFAULT").cuda().eval()
    grab = FeatureGrabber(model)
    loader = DataLoader(datasets.ImageFolder("val", transforms.ToTensor()), batch_size=32, num_workers=4)
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x.cuda()).argmax(1).cpu() == y).sum().item()
    print(hits, torch.cat(grab.features).mean().item())


if __name__ == "__main__":
    main()
