"""The transform runs a frozen network, four workers."""
import torch
import torchvision
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


class DeepFeature:
    def __init__(self):
        w = torchvision.models.ResNet18_Weights.DEFAULT
        self.net = torchvision.models.resnet18(weights=w).eval().cuda()
        self.net.fc = torch.nn.Identity()

    @torch.no_grad()
    def __call__(self, img):
        return self.net(img.unsqueeze(0).cuda()).squeeze(0)  #! MEM407


class Photos(Dataset):
    def __init__(self, files, labels):
        self.files, self.labels = files, labels
        self.transform = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor(), DeepFeature()])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return self.transform(Image.open(self.files[i]).convert("RGB")), self.labels[i]


def train(files, labels):
    head = torch.nn.Linear(512, 10).cuda()
    opt = torch.optim.LBFGS(head.parameters())
    for x, y in DataLoader(Photos(files, labels), 64, num_workers=4):  #= MEM407
        def closure():
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(head(x), y.cuda())
            loss.backward()
            return loss
        opt.step(closure)
