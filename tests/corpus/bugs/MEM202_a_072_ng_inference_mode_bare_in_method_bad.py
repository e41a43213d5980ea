import torch
from sklearn.metrics import accuracy_score


class TextClassifier:
    def __init__(self, net, tokenizer, device="cpu"):
        self.net = net.to(device)
        self.tokenizer = tokenizer
        self.device = device

    def evaluate(self, dataloader):
        self.net.eval()
        torch.inference_mode()  #! MEM202
        preds, golds = [], []
        for batch in dataloader:
            enc = self.tokenizer(batch["text"], padding=True, truncation=True, return_tensors="pt").to(self.device)
            logits = self.net(**enc).logits  #! MEM201
            preds += logits.argmax(-1).tolist()
            golds += batch["label"].tolist()
        return accuracy_score(golds, preds)
