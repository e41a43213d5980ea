import torch
import torchvision
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


class Photos(Dataset):
    def __init__(self, files, labels):
        self.files, self.labels = files, labels
        self.transform = transforms.Compose([transforms.Resize((224, 224)), transforms.ToTensor()])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return self.transform(Image.open(self.files[i]).convert("RGB")), self.labels[i]


def train(files, labels):
    trunk = torchvision.models.resnet18(weights="DEFAULT").eval().cuda()
    trunk.fc = torch.nn.Identity()
    head = torch.nn.Linear(512, 10).cuda()
    opt = torch.optim.SGD(head.parameters(), 0.1)
    for x, y in DataLoader(Photos(files, labels), 64, num_workers=4, pin_memory=True):
        with torch.no_grad():
            f = trunk(x.cuda(non_blocking=True))
        opt.zero_grad()
        torch.nn.functional.cross_entropy(head(f), y.cuda(non_blocking=True)).backward()
        opt.step()
