class History(list):
    def log(self, **entry):
        self.append(entry)

    def mean(self, key):
        return sum(float(e[key]) for e in self) / len(self)
