"""Nothing is frozen, the memory does not shrink."""
import torch
import torchvision
from transformers import BertModel


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel.from_pretrained("bert-base-uncased")
        for name, p in self.bert.named_parameters():
            if not name.startswith("encoder.layer.11"):
                p.require_grad = False  #! MEM908
        self.out = torch.nn.Linear(768, 2)

    def forward(self, ids):
        return self.out(self.bert(ids).pooler_output)


def trunk():
    net = torchvision.models.vgg16(weights="DEFAULT")
    net.features.requires_gradient = False  #! MEM908
    for p in net.classifier[:-1].parameters():
        setattr(p, "require_grads", False)  #! MEM908
    x = torch.zeros(1, 3, 32, 32)
    x.require_grad = True  #! MEM908
    return net, x
