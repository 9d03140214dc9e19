# MySQL's own ways: backquotes, engines, delimiters.
DROP TABLE IF EXISTS `orders`;

/*!40101 SET NAMES utf8mb4 */;

CREATE TABLE `orders` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `customer` varchar(64) COLLATE utf8mb4_bin DEFAULT NULL COMMENT 'who; why',
  `state` enum('new','sent') NOT NULL DEFAULT 'new',
  `sum` decimal(10,2) GENERATED ALWAYS AS (`net` * 1.19) STORED,
  PRIMARY KEY (`id`),
  KEY `by_customer` (`customer`)
) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4;

CREATE TABLE `order_lines` (
  `order_id` int unsigned NOT NULL,
  `article` varchar(32) NOT NULL,
  `amount` smallint DEFAULT '1'
) ENGINE=InnoDB;

DELIMITER //

-- Sends what is new.
CREATE PROCEDURE send_orders(IN since DATE)
BEGIN
  DECLARE done INT DEFAULT 0;
  UPDATE orders SET state = 'sent' WHERE state = 'new';
END //

CREATE FUNCTION gross(net DECIMAL(10,2)) RETURNS DECIMAL(10,2) DETERMINISTIC
BEGIN
  RETURN net * 1.19;
END //

CREATE TRIGGER order_sent AFTER UPDATE ON orders
FOR EACH ROW
BEGIN
  INSERT INTO log VALUES (NEW.id);
END //

DELIMITER ;

CREATE OR REPLACE ALGORITHM=MERGE VIEW `open_orders` AS
  SELECT * FROM `orders` WHERE `state` = 'new';

CREATE INDEX by_state ON orders (state);
