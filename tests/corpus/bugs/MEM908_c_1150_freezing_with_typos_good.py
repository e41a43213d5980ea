import torch
import torchvision
from transformers import BertModel


class Config:
    require_grad = False
    require_grads = True

    def __init__(self):
        self.require_grad = True


class Classifier(torch.nn.Module):
    def __init__(self, cfg):
        super().__init__()
        cfg.require_grad = False
        self.bert = BertModel.from_pretrained("bert-base-uncased")
        for name, p in self.bert.named_parameters():
            if not name.startswith("encoder.layer.11"):
                p.requires_grad = False
        self.out = torch.nn.Linear(768, 2)

    def forward(self, ids):
        return self.out(self.bert(ids).pooler_output)


def trunk():
    net = torchvision.models.vgg16(weights="DEFAULT")
    net.features.requires_grad_(False)
    return Classifier(Config()), net
