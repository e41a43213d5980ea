import torch
from torchvision.models import resnet50


def serve(frames):
    net = resnet50(weights="DEFAULT").cuda().half().eval()
    labels = []
    with torch.no_grad():
        for batch in frames:
            labels += net(batch.cuda().half()).argmax(1).tolist()
    return labels
