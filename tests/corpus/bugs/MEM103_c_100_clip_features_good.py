import clip
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR100

device = "cuda" if torch.cuda.is_available() else "cpu"
model, preprocess = clip.load("ViT-B/32", device)
loader = DataLoader(CIFAR100("data", train=True, transform=preprocess, download=True), batch_size=100, num_workers=4)

head = torch.nn.Linear(512, 512, bias=False).to(device)
all_features, all_labels = [], []
with torch.no_grad():
    for images, labels in loader:
        features = head(model.encode_image(images.to(device)).float())
        all_features.append(features.cpu())
        all_labels.append(labels)

train_features = torch.cat(all_features).cpu().numpy()
train_labels = torch.cat(all_labels).numpy()
print(train_features.shape, train_labels.shape)
