"""What kind of text it is."""

from component import TorchComponent


class Classifier(TorchComponent):
    def loader(self, texts, batch_size):
        raise NotImplementedError

    def predict(self, texts, batch_size=8):
        found = []
        for batch in self.loader(texts, batch_size):
            scores = self.model(input_ids=batch["ids"]).logits
            scores, order = scores.sort(descending=True)
            found.extend(order.tolist())
        return found
